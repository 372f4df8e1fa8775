/**
 * Explains a container's probes: their values and origins, the last outcomes, and what follows.
 * Possible secrets are left out here: values of headers, arguments of commands, queries of URLs.
 */
@NullMarked
package io.probelet.web.explain;

import org.jspecify.annotations.NullMarked;
