import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import type { customForm, customFormAnswer } from './custom-form.ts'

/** Status of a form: not published, published, or published with unpublished changes. */
export const CustomFormStatusChip = ({
  form: { live, version, unpublished },
}: {
  readonly form: Pick<RecordOf<typeof customForm>, 'live' | 'version' | 'unpublished'>
}) =>
  !live ? (
    <StatusChip meaning="attention">Not published</StatusChip>
  ) : unpublished ? (
    <StatusChip meaning="attention">{`Version ${version}, with unpublished changes`}</StatusChip>
  ) : (
    <StatusChip meaning="safe">{`Version ${version}`}</StatusChip>
  )

/** Result of a completed form: pass or fail. Renders nothing if the form has no pass mark. */
export const FormResultChip = ({ result }: Pick<RecordOf<typeof customFormAnswer>, 'result'>) =>
  result && (
    <StatusChip meaning={result === 'passed' ? 'safe' : 'stop'}>{result === 'passed' ? 'Passed' : 'Failed'}</StatusChip>
  )

/** Number of defects in a completed form; a dash if there is none, or they were not counted. */
export const DefectsChip = ({ defects }: Pick<RecordOf<typeof customFormAnswer>, 'defects'>) =>
  defects ? <StatusChip meaning="stop">{`${defects} ${defects === 1 ? 'defect' : 'defects'}`}</StatusChip> : '—'

/** Maximum length of an answer in a chip, in characters. */
const MAX_CHIP_CHARACTERS = 30

/** Answer that is a defect. A long answer is shown as text, with a chip that says so. */
export const DefectText = ({ children }: { readonly children: string }) =>
  children.length > MAX_CHIP_CHARACTERS ? (
    <>
      {children} <StatusChip meaning="stop">Defect</StatusChip>
    </>
  ) : (
    <StatusChip meaning="stop">{children}</StatusChip>
  )

/** Chip that shows when a form is due: overdue, today or on a later date. */
export function FormDueChip({ dueOn }: { readonly dueOn: string }) {
  const today = londonToday()
  if (dueOn < today)
    return (
      <StatusChip meaning="stop" icon={IconAlertTriangle}>
        {`Overdue since ${formatIsoAsUkDate(dueOn)}`}
      </StatusChip>
    )
  return (
    <StatusChip meaning={dueOn === today ? 'attention' : 'info'} icon={IconCalendar}>
      {dueOn === today ? 'Due today' : `Due ${formatIsoAsUkDate(dueOn)}`}
    </StatusChip>
  )
}
