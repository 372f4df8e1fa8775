/** Label selectors: their rules, their reader, and matching. */
@NullMarked
package io.probelet.document.selector;

import org.jspecify.annotations.NullMarked;
