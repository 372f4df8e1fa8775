/**
 * The built-in checks of section 3: pure functions from an object as the API server shows it to
 * what it says about its health. Objects are checked by group and kind, as whichever class they
 * were read; any resource can be checked by its conditions or by a JSON pointer. Messages name what
 * is wrong, with figures.
 */
@NullMarked
package io.probelet.checks.object;

import org.jspecify.annotations.NullMarked;
