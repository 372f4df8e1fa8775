/** The metrics for those whom the API server lets get them. */
@NullMarked
package io.probelet.web.scrape;

import org.jspecify.annotations.NullMarked;
