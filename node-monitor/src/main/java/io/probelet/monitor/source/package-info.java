/**
 * Sources of lines: the kernel, rotated files, the journal. A source blocks its own thread, reports
 * when it is up to date and what it lost, and can continue later at its position. It knows no
 * rules.
 */
@NullMarked
package io.probelet.monitor.source;

import org.jspecify.annotations.NullMarked;
