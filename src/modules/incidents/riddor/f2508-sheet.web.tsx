import { Button, CopyButton, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy, IconFileTypePdf } from '@tabler/icons-react'
import { openPdf } from '#web/api/pdf.ts'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from './riddor.module.css'
import { type Report, useF2508Sheet } from './screening-data.web.ts'

/** Answers to form F2508 in the order of HSE’s online form, each with a button that copies it. */
export default function F2508Sheet({ report }: { readonly report: Report }) {
  const sheet = useF2508Sheet(report)
  if (sheet.error) return <SectionError error={sheet.error} onRetry={sheet.refetch} />
  if (!sheet.data) return <LoadingRows rows={4} />
  return (
    <Stack gap="md">
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconFileTypePdf size={18} aria-hidden />}
        onClick={() => void openPdf(`${report['@id']}/riddor-sheet.pdf`).catch((e: unknown) => toast.failed(e))}
      >
        Open as PDF
      </Button>
      {sheet.data.sections.map(({ title, fields }) => (
        <section key={title} aria-label={title}>
          <Title order={4}>{title}</Title>
          <ul className={css.list}>
            {fields.map(({ label, value }) => (
              <li key={label} className={css.row}>
                <div>
                  <Text size="sm" c="dimmed">
                    {label}
                  </Text>
                  <p className={css.words}>{value || 'Not entered'}</p>
                </div>
                {value && <CopyValue label={label} value={value} />}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  )
}

const CopyValue = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={copied ? `Copied: ${label}` : `Copy: ${label}`}
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={copy}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    )}
  </CopyButton>
)
