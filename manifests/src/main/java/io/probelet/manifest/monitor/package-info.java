/**
 * Monitor files. Their rules live in node-health; here is only told at which line of which file one
 * is broken. They are told from other manifests by saying a plugin and no kind.
 */
@NullMarked
package io.probelet.manifest.monitor;

import org.jspecify.annotations.NullMarked;
