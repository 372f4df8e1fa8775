/**
 * The monitor at work: readers and runners on threads of their own bring evidence to one loop, on
 * which all trackers live without locks. What came of it goes to listeners and, in one small file,
 * over a restart. A reader that fails is begun again and costs nobody else anything.
 */
@NullMarked
package io.probelet.monitor.node;

import org.jspecify.annotations.NullMarked;
