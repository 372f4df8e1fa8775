/**
 * The reports of {@code probelet validate}: text, JSON, and SARIF for code hosts. Only the format
 * is decided here.
 */
@NullMarked
package io.probelet.cli.validate;

import org.jspecify.annotations.NullMarked;
