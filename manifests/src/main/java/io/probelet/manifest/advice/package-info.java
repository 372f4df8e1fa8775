/**
 * Advice on probes that are valid but seldom intended. Pure functions of a container's probes;
 * callers know their positions in files.
 */
@NullMarked
package io.probelet.manifest.advice;

import org.jspecify.annotations.NullMarked;
