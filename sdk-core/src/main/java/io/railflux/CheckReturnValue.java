package io.railflux;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.CLASS;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Marks methods whose result must be used: the operation starts only when the result is subscribed to. Error Prone
 * and IDEs recognise the annotation by its simple name.
 */
@Documented
@Retention(CLASS)
@Target(METHOD)
public @interface CheckReturnValue {}
