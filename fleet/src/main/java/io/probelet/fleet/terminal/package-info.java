/** The terminal that commands write to: its size and colors, tables, progress, full screen. */
@NullMarked
package io.probelet.fleet.terminal;

import org.jspecify.annotations.NullMarked;
