/** Internal classes that several fabrics and the engine share. */
package io.railflux.fabric.base;
