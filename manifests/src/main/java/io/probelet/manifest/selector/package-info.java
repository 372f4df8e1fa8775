/** Label selectors, as fabric8 has them. */
@NullMarked
package io.probelet.manifest.selector;

import org.jspecify.annotations.NullMarked;
