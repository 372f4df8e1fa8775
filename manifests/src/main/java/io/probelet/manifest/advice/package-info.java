/**
 * Advice on probes that are valid and yet seldom what their author means. Pure functions of a
 * container's probes; where they stand in a file is for others to know.
 */
@NullMarked
package io.probelet.manifest.advice;

import org.jspecify.annotations.NullMarked;
