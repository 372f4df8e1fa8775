/**
 * The NodeHealthCheck resource as values: what a user may ask for and what we answer in its status.
 * Field names, defaults and meanings are those of {@code remediation.medik8s.io/v1alpha1}, so that
 * existing resources keep working. A value of these types is valid; what is not is refused before
 * it becomes one.
 */
@NullMarked
package io.probelet.nodehealth.resource;

import org.jspecify.annotations.NullMarked;
