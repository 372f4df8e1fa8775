/**
 * Prerequisites that a source of evidence lacks in this installation: a file, mount, socket,
 * program or permission (B-17). This is not a failure: the node needs no action, and its condition
 * is not published.
 */
@NullMarked
package io.probelet.monitor.availability;

import org.jspecify.annotations.NullMarked;
