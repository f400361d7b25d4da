import type { Resource, Tenant } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'

/** Whether its rows have a `client_id`. */
export const namesTenant = ({ tenant }: Pick<Resource, 'tenant'>): boolean => tenant !== 'shared' && tenant !== 'self'

/**
 * The tenants that a relation may lead to, as the end of a condition: the row's own and, where the target has templates, the provider.
 * `inner` and `outer` are the tables of the target and of the row.
 */
export function sameTenant(from: Tenant, target: Pick<Resource, 'tenant'>, inner: string, outer: string): string {
  if (from === 'shared' || target.tenant === 'shared' || target.tenant === 'self') return ''
  return target.tenant === 'own'
    ? ` AND ${inner}.client_id = ${outer}.client_id`
    : ` AND ${inner}.client_id IN (${outer}.client_id, ${PROVIDER})`
}
