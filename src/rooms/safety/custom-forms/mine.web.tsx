import { packState } from '#kernel/packs.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, holds, PROVIDER } from '#kernel/roles.ts'
import { AUTHORS, READERS } from '#rooms/documents/rights.ts'
import { queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { type Waiting, WaitingParts, WaitingRow } from '#web/dashboard/waiting.tsx'
import type { DashboardPart } from '#web/shell/faces/dashboard.ts'
import { customForm } from './custom-form.ts'
import { CUSTOM_FORMS, fillPath } from './paths.ts'

const SHOWN = 5

/** Who fills forms in and makes none: whoever makes them has the list at hand. */
const fillsIn = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER &&
  holds(actor, READERS) &&
  !holds(actor, AUTHORS) &&
  packState(actor, 'safety') === 'active'

/** The company's forms that somebody may fill in, one press away; nothing where there is none. */
function FormsToFillIn() {
  const actor = useActor()
  const params = { client: actor.clientId, live: true, retired: false, itemsPerPage: SHOWN }
  const list: Waiting<RecordOf<typeof customForm>> = {
    title: 'Forms to fill in',
    url: `${customForm.url}${queryString(params)}`,
    more: () => [{ label: 'All forms', to: CUSTOM_FORMS }],
    row: (form) => <WaitingRow to={fillPath(form.id)} title={form.title} detail={form.notes} />,
  }
  return <WaitingParts lists={[list]} />
}

export const part: DashboardPart = { order: 41, isFor: fillsIn, draw: () => <FormsToFillIn /> }
