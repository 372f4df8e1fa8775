/** Node remediation as commands show it and set it up. */
@NullMarked
package io.probelet.agent.remediation;

import org.jspecify.annotations.NullMarked;
