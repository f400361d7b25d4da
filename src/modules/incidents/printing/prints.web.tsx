import { Button, Group, Text } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { toast } from '#web/ui/toast.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'

/** Buttons for the PDFs of an incident: the accident record with all details, and the anonymous summary. */
export function IncidentPrints({ report }: { readonly report: IncidentRecord }) {
  const actor = useActor()
  const people = (report.personnel ?? []).filter(({ retired }) => !retired)
  const isOwn = report.author === actor.username || people.some(({ user }) => user === actor.userId)
  const seesAll = isOwn && people.every(({ name }) => name !== undefined)
  const hasRecord = hasRole(actor, INCIDENT_READER_ROLE) || seesAll
  return (
    <>
      <Text size="sm" c="dimmed">
        {hasRecord && 'The accident record has all details, and each reading of health details is logged. '}
        The anonymous summary has no names, health details or free text.
      </Text>
      <Group gap="sm" mt="xs">
        {hasRecord && <PdfButton label="Accident record" url={`${report['@id']}/accident-record.pdf`} />}
        <PdfButton label="Anonymous summary" url={`${report['@id']}/summary.pdf`} />
      </Group>
    </>
  )
}

const PdfButton = ({ label, url }: { readonly label: string; readonly url: string }) => (
  <Button
    variant="default"
    leftSection={<IconFileTypePdf size={18} aria-hidden />}
    onClick={() => void openPdf(url).catch((e: unknown) => toast.failed(e))}
  >
    {label}
  </Button>
)
