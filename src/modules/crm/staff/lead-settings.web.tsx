import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { client } from '#modules/portal/clients/client.ts'
import { useMe } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { EditableField } from '#web/forms/editable.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'

/** Settings for the leads to which staff have access. They apply to all staff who work leads. */
export default function LeadSettingsPage() {
  const me = useMe()
  const one = useApiRecord(client, me.client.id)
  return (
    <Page title="Access to leads">
      {one.isPending && <LoadingRows rows={2} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.data && (
        <section className={page.card} aria-label="Settings">
          <div className={page.facts}>
            <EditableField resource={client} record={one.data} name="ownLeads" of={one.data.company ?? ''} />
          </div>
          <Text size="sm" c="dimmed" mt="md">
            Changes apply immediately to lists, search, counts and the call queue. Lead administrators and staff with
            the scope “leads.all” always see all leads. Each person’s absences and maximum number of leads are set on
            their page under{' '}
            <Anchor component={Link} to="/staff">
              Staff
            </Anchor>
            .
          </Text>
        </section>
      )}
    </Page>
  )
}
