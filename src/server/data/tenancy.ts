import type { Resource, Tenant } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'

/** Do its rows say whose they are, in `client_id`? */
export const namesTenant = ({ tenant }: Pick<Resource, 'tenant'>): boolean => tenant !== 'shared' && tenant !== 'self'

/**
 * Whose record a relation can lead to, as the end of a condition: of the tenant of the row that it stands in, and, where its target
 * has templates, of the provider. `inner` and `outer` are the tables of the target and of the row.
 */
export function sameTenant(from: Tenant, target: Pick<Resource, 'tenant'>, inner: string, outer: string): string {
  if (from === 'shared' || target.tenant === 'shared' || target.tenant === 'self') return ''
  return target.tenant === 'own'
    ? ` AND ${inner}.client_id = ${outer}.client_id`
    : ` AND ${inner}.client_id IN (${outer}.client_id, ${PROVIDER})`
}
