import type { RecordOf } from '#kernel/resource.ts'
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
