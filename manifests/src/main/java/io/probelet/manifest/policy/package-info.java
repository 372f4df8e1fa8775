/**
 * What the administrator lets the authors of pods ask for: pure values, read from the configuration
 * and asked while a pod is read. What a pod's annotations say is hostile input; what is said here
 * is the upper bound of it.
 */
@NullMarked
package io.probelet.manifest.policy;

import org.jspecify.annotations.NullMarked;
