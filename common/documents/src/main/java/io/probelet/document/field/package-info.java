/**
 * Reading objects field by field: a {@link io.probelet.document.field.Fields} hands out what is
 * there, remembers what was asked for, and so knows a misspelt field from a known one. Every
 * complaint goes to one list with file, document, line, path, the value found and the rule it
 * breaks; reading goes on with a harmless value instead. The wording is the Kubernetes API
 * server's, because that is what users know.
 */
@NullMarked
package io.probelet.document.field;

import org.jspecify.annotations.NullMarked;
