/**
 * The last operation on an object and the errors it left (CH-38), and the one word that says how an
 * object is (CH-39). The recorder keeps both by the rules of retrying, so that authors of
 * controllers need not. It returns new values and writes nothing.
 */
@NullMarked
package io.probelet.checks.operation;

import org.jspecify.annotations.NullMarked;
