/**
 * Measures what Probelet costs, by JMH for single pieces and as a whole process against others.
 * Every claim about speed or memory in the documentation names a benchmark here that repeats it.
 * Nothing of it is ever shipped.
 */
@NullMarked
package io.probelet.benchmarks;

import org.jspecify.annotations.NullMarked;
