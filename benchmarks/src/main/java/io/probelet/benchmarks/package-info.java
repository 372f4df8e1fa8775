/**
 * Measures the cost of Probelet, with JMH for single parts and as a whole process against others.
 * Every claim about speed or memory in the documentation names a benchmark here that repeats it.
 * This module is never shipped.
 */
@NullMarked
package io.probelet.benchmarks;

import org.jspecify.annotations.NullMarked;
