/**
 * What keeps a source of evidence from observing anything in this installation: a file, mount,
 * socket, program or right that it lacks (B-17). That is another matter than a failure: nobody has
 * to act on the node, and nothing is said of it.
 */
@NullMarked
package io.probelet.monitor.availability;

import org.jspecify.annotations.NullMarked;
