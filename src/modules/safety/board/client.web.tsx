import { Text } from '@mantine/core'
import { useParams } from 'react-router'
import { client } from '#modules/portal/clients/client.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { ChartWithTable } from '#web/charts/chart.tsx'
import { KeyFigures } from '#web/charts/key-figures.tsx'
import { FieldValue } from '#web/forms/field-value.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { countClientDocumentsWithTask, SAFETY_TASK_LABELS, useResellerClientFigures } from './data.web.ts'
import { SAFETY_TASKS } from './figures.ts'
import { SAFETY_DOCUMENT_TYPE_INFOS } from './type-infos.ts'

const REACHED = ['contactname', 'contacttel', 'contactemail'] as const

/**
 * Page for one of a reseller's clients: contact person and number of open tasks. Resellers can't read their clients'
 * documents.
 */
export default function ResellerClientPage() {
  const id = Number(useParams().id)
  const one = useApiRecord(client, id)
  const figures = useResellerClientFigures()
  const waits = one.isPending || figures.isPending
  const [c, f] = waits ? [] : [one.data, figures.data]
  return (
    <Page title={c?.company ?? 'Client'} back={{ label: 'Dashboard', to: '/dashboard' }}>
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {figures.isError && !f && <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />}
      {waits && <LoadingRows />}
      {c && (
        <section className={page.card} aria-labelledby="speak-to">
          <h2 id="speak-to">Contact</h2>
          <dl className={page.facts} style={{ margin: 0 }}>
            {REACHED.map((name) => (
              <div key={name}>
                <Text component="dt" size="sm" c="dimmed">
                  {client.fields[name].label}
                </Text>
                <Text component="dd" m={0}>
                  <FieldValue field={client.fields[name]} value={c[name]} />
                </Text>
              </div>
            ))}
          </dl>
        </section>
      )}
      {c && f && (
        <section className={page.card} aria-labelledby="waits">
          <h2 id="waits">Open tasks</h2>
          <KeyFigures
            all={SAFETY_TASKS.map((task) => ({
              label: SAFETY_TASK_LABELS[task].label,
              cell: { value: countClientDocumentsWithTask(f, id, task) },
            }))}
          />
          <ChartWithTable
            title="Open tasks by document type"
            summary={SAFETY_TASKS.map(
              (task) => `${SAFETY_TASK_LABELS[task].label}: ${countClientDocumentsWithTask(f, id, task)}`,
            ).join('. ')}
            columns={SAFETY_DOCUMENT_TYPE_INFOS.map((info) => info.nav.title)}
            rowIs="Task"
            series={SAFETY_TASKS.map((task) => ({
              ...SAFETY_TASK_LABELS[task],
              cells: SAFETY_DOCUMENT_TYPE_INFOS.map((info) => ({
                value: countClientDocumentsWithTask(f, id, task, info.kind),
              })),
            }))}
          />
          <Text size="sm" c="dimmed">
            You can see only the number of open tasks. Documents and missing signatures are visible only to the client;
            for details, speak to the client’s contact.
          </Text>
        </section>
      )}
    </Page>
  )
}
