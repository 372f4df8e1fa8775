/** The listener for scraping: the metrics over TLS, to those whom the API server lets get them. */
@NullMarked
package io.probelet.agent.scrape;

import org.jspecify.annotations.NullMarked;
