/**
 * What the leaders of remediation answer, as values: who writes them and who reads them share them.
 */
@NullMarked
package io.probelet.web.remediation;

import org.jspecify.annotations.NullMarked;
