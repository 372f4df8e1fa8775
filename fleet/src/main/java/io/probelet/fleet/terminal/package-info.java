/** What commands know of the terminal they write to: its size, its colours, how to fill it. */
@NullMarked
package io.probelet.fleet.terminal;

import org.jspecify.annotations.NullMarked;
