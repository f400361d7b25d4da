import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { openPdf } from '#web/api/pdf.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { letterCopy, letterTemplate } from './letter.ts'
import { LetterSheet } from './sheet.web.tsx'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({ addressee: z.string().default(''), run: id, copy: id })

type Copy = RecordOf<typeof letterCopy>
const leadOf = ({ contact }: Copy) => contact?.companyName || contact?.name || 'A lead'

/** List of printed copies, either of one letter or of all letters. */
export default function PrintedLettersPage() {
  const { slug } = useParams()
  const letter = useApiRecord(letterTemplate, slug)
  const [state, set] = useUrlState(LIST)
  const { copy, ...list } = state
  return (
    <Page
      title={slug === undefined ? 'Printed letters' : `Copies of “${letter.data?.name ?? '…'}”`}
      back={{ label: 'Letters', to: '/letters' }}
    >
      {letter.isError ? (
        <ErrorState error={letter.error} onRetry={() => void letter.refetch()} />
      ) : (
        <DataList
          resource={letterCopy}
          label="Printed letters"
          state={list}
          onState={set}
          search="Search by name or address"
          searchBy="addressee"
          params={slug === undefined ? {} : { letter: slug }}
          columns={[
            { key: 'contact', title: 'Lead', link: true, render: leadOf },
            { key: 'subject', wide: true },
            ...(slug === undefined ? [{ key: 'letter', title: 'Letter', inCard: false }] : []),
            { key: 'printedAt', title: 'Printed', render: (row) => <DateTimeText at={row.printedAt} /> },
            { key: 'author', title: 'Printed by', inCard: false },
          ]}
          onOpen={(row) => set({ copy: String(row.id) })}
          empty={
            <EmptyState title="No printed letters yet">
              Select leads in the list of leads and choose “Letter”, or open a lead and choose “Print a letter”.
            </EmptyState>
          }
        />
      )}
      <OneCopy id={copy} onClose={() => set({ copy: '' })} />
    </Page>
  )
}

function OneCopy({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const one = useApiRecord(letterCopy, id || undefined)
  const [busy, setBusy] = useState(false)
  const it = one.data
  const open = () => {
    setBusy(true)
    void openPdf(`${letterCopy.url}/${id}/pdf`)
      .catch((e: unknown) => toast.failed(e))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog opened={id !== ''} onClose={onClose} title={it?.subject || 'Letter'} size={720} addressed>
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.isPending && id !== '' && <LoadingRows rows={6} />}
      {it && (
        <Stack gap="sm">
          <Text size="sm">
            {it.contact && (
              <Anchor component={Link} to={`/crm/contact/view/${it.contact.id}`} inherit>
                {leadOf(it)}
              </Anchor>
            )}{' '}
            · printed <DateTimeText at={it.printedAt} /> by <PersonName username={it.author || 'system'} />
          </Text>
          <LetterSheet of={it} />
        </Stack>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button loading={busy} disabled={!it} onClick={open}>
          Open the PDF
        </Button>
      </DialogActions>
    </Dialog>
  )
}
