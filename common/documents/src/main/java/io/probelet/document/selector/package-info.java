/** Label selectors: what they may say, how they are read, and what they select. */
@NullMarked
package io.probelet.document.selector;

import org.jspecify.annotations.NullMarked;
