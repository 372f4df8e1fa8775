/** The answers of the leaders of remediation, as values shared by writers and readers. */
@NullMarked
package io.probelet.web.remediation;

import org.jspecify.annotations.NullMarked;
