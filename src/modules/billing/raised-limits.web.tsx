import { Alert, Button, Text } from '@mantine/core'
import type { Resource } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useSaveRecord } from '#web/api/resources.ts'
import { toast } from '#web/ui/toast.ts'
import { describeRaisedLimits, type RaisedLimits } from './rights.ts'

interface LimitSettings {
  readonly id: number
  readonly raisedLimits: RaisedLimits
  readonly raisedFrom: string | null
  readonly raiserName: string
}

/** Higher limits that apply from the next day, with a button to withdraw them. Shows nothing if there are none. */
export function RaisedLimitsNotice({
  resource,
  settings,
}: {
  readonly resource: Resource
  readonly settings: LimitSettings
}) {
  const save = useSaveRecord(resource)
  const { id, raisedFrom, raisedLimits, raiserName } = settings
  const present: Readonly<Record<string, unknown>> = { ...settings }
  const withdraw = () =>
    save.mutate(
      { id, values: Object.fromEntries(Object.keys(raisedLimits).map((name) => [name, present[name]])) },
      { onSuccess: () => toast.info('The higher limit was withdrawn', 'safe'), onError: (e) => toast.failed(e) },
    )
  if (!raisedFrom) return null
  const isOne = Object.keys(raisedLimits).length === 1
  return (
    <Alert color="blue" mb="md" role="status" title={`Higher limits apply from ${formatIsoDateAsUk(raisedFrom)}`}>
      <Text size="sm" mb="sm">
        {raiserName} set {describeRaisedLimits(raisedLimits)}. Until then, the {isOne ? 'limit' : 'limits'} below{' '}
        {isOne ? 'applies' : 'apply'}.
      </Text>
      <Button variant="default" loading={save.isPending} onClick={withdraw}>
        {isOne ? 'Keep the present limit' : 'Keep the present limits'}
      </Button>
    </Alert>
  )
}
