/**
 * Statistics of the machine under the names that node-problem-detector has for them, read
 * from the kernel's files at each scrape. Nothing is kept but what an average needs.
 */
@NullMarked
package io.probelet.web.machine;

import org.jspecify.annotations.NullMarked;
