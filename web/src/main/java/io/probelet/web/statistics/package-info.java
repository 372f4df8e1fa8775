/** What probes have seen of their targets for days, as the API shows it. */
@NullMarked
package io.probelet.web.statistics;

import org.jspecify.annotations.NullMarked;
