/**
 * The page of one container: each probe with its reason, uptime, outcomes and the phases of each
 * attempt, its values and their origins.
 */
@NullMarked
package io.probelet.web.page.container;

import org.jspecify.annotations.NullMarked;
