/**
 * The administrator's limits for pod authors: pure values from the configuration, applied while a
 * pod is read. A pod's annotations are hostile input; these values are their upper limit.
 */
@NullMarked
package io.probelet.manifest.policy;

import org.jspecify.annotations.NullMarked;
