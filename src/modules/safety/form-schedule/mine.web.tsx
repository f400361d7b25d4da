import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DashboardSection } from '#web/dashboard/section.tsx'
import { DashboardSectionSkeleton } from '#web/dashboard/sections.tsx'
import { PendingWorkRow, PendingWorkRows } from '#web/dashboard/waiting.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import type { DashboardPart } from '#web/shell/manifest/dashboard.ts'
import { FormDueChip } from '../custom-forms/chips.web.tsx'
import { customForm } from '../custom-forms/custom-form.ts'
import { CUSTOM_FORM_LIST_PATH, completeFormPath } from '../custom-forms/paths.ts'
import { formSchedule } from './form-schedule.ts'

const SHOWN_FORMS = 5
/** Number of days ahead for which due forms are listed. */
const AHEAD = { days: 7 }

const fillsIn = (actor: Actor): boolean =>
  actor.clientId !== PROVIDER_CLIENT_ID &&
  hasRole(actor, DOCUMENT_READER_ROLES) &&
  packState(actor, 'safety') === 'active'

/**
 * Forms assigned to the user, most overdue first. Users who are not authors also see the other forms they can complete.
 * Renders nothing if there are no forms.
 */
function FormsToFillIn() {
  const actor = useActor()
  const makes = hasRole(actor, DOCUMENT_AUTHOR_ROLES)
  const until = Temporal.PlainDate.from(londonToday()).add(AHEAD).toString()
  const due = useList(formSchedule, { user: actor.userId, retired: false, 'dueOn[before]': until, itemsPerPage: 20 })
  const forms = useList(
    customForm,
    { client: actor.clientId, live: true, retired: false, itemsPerPage: SHOWN_FORMS },
    { enabled: !makes },
  )
  if (due.isPending || (!makes && forms.isPending)) return <DashboardSectionSkeleton />
  const planned = (due.data?.['hydra:member'] ?? []).filter(({ form }) => form.live && !form.retired)
  const others = (forms.data?.['hydra:member'] ?? []).filter(({ id }) => !planned.some(({ form }) => form.id === id))
  const error = due.error ?? forms.error
  const rows = [
    ...planned.map((one) => ({
      key: `due ${one.id}`,
      row: (
        <PendingWorkRow to={completeFormPath(one.form.id)} title={one.title} detail={one.place ?? ''}>
          <FormDueChip dueOn={one.dueOn} />
        </PendingWorkRow>
      ),
    })),
    ...others.map((form) => ({
      key: form.id,
      row: <PendingWorkRow to={completeFormPath(form.id)} title={form.title} detail={form.notes} />,
    })),
  ]
  if (!error && !rows.length) return null
  return (
    <DashboardSection
      title={rows.length ? `Forms to complete (${rows.length})` : 'Forms to complete'}
      action={
        <Anchor component={Link} to={CUSTOM_FORM_LIST_PATH}>
          All forms
        </Anchor>
      }
      loading={false}
      error={error}
      onRetry={() => void Promise.all([due.refetch(), forms.refetch()])}
    >
      <PendingWorkRows rows={rows} />
    </DashboardSection>
  )
}

export const formsToCompletePart: DashboardPart = { order: 41, isFor: fillsIn, draw: () => <FormsToFillIn /> }
