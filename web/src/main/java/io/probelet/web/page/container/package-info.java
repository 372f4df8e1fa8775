/**
 * The page of one container: each probe with its full history, where the time of every attempt
 * went, what is in force and where that comes from.
 */
@NullMarked
package io.probelet.web.page.container;

import org.jspecify.annotations.NullMarked;
