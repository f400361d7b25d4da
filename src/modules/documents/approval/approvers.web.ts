import { useQuery } from '@tanstack/react-query'
import { iriOf } from '#kernel/resource.ts'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { safetySettings } from '../settings/safety-settings.ts'
import type { DocumentKind } from '../types/kind.ts'
import { isOwnRevision } from '../types/self-approval.ts'

export interface Approver {
  readonly id: number
  readonly name: string
  readonly username: string
}

export const useApprovers = (clientId: number, { pack }: Pick<DocumentKind, 'pack'>) =>
  useQuery({
    queryKey: [safetySettings.url, 'approvers', clientId, pack],
    queryFn: ({ signal }) =>
      callApi<Collection<Approver>>(
        'GET',
        `${iriOf(safetySettings, clientId)}/approvers${queryString({ pack })}`,
        undefined,
        { signal },
      ),
  })

/** Returns whether the company forbids self-approval of documents. Returns false until the settings have loaded. */
export const useForbidsSelfApproval = (clientId: number | undefined): boolean =>
  useApiRecord(safetySettings, clientId).data?.forbidSelfApproval === true

const NAMED = 4

/** Joins approvers' names, such as `Priya Shah or Rhys Ellis`, or `A, B, C, D or 3 others`. */
export function joinApproverNames(people: readonly Pick<Approver, 'name'>[]): string {
  const names = people.map((p) => p.name)
  const more = names.length - NAMED
  const said = more > 1 ? [...names.slice(0, NAMED), `${more} others`] : names
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(said)
}

interface Written {
  readonly author: string | null
  /** Username of the person who completed the draft or is about to complete it. */
  readonly completedBy: string | null
}

/** Splits the approvers into those who wrote or completed a revision and those who did not. */
export function splitApproversByAuthorship<P extends Pick<Approver, 'username'>>(
  people: readonly P[],
  written: Written,
) {
  const own = people.filter((p) => isOwnRevision(written, p.username))
  return { others: people.filter((p) => !own.includes(p)), own }
}
