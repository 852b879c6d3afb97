/** What a user says about security: where secrets come from, and when frames are encrypted. */
package io.railflux.security;
