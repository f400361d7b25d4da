import { Button, FileInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { londonDate, now } from '#kernel/time.ts'
import { useList, useSaveRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { screening } from './do-not-call.ts'

/** Dialog that imports screening results from a CSV file and lists recent imports. */
export default function ScreeningDialog({ onDone }: { readonly onDone: () => void }) {
  const save = useSaveRecord(screening)
  const former = useList(screening, { itemsPerPage: 5 }).data?.['hydra:member'] ?? []
  const [file, setFile] = useState<File | null>(null)
  const [day, setDay] = useState(() => londonDate(now()).toString())
  const [failure, setFailure] = useState<string>()
  const submit = async () => {
    if (!file) return setFailure('Please choose a file')
    try {
      await save.mutateAsync({ values: { fileName: file.name, screenedOn: day, content: await file.text() } })
      toast.info(
        'The results are being imported. You will be notified when the import is done. The notification lists any unreadable lines.',
      )
      onDone()
    } catch (e) {
      setFailure(errorSentence(e))
    }
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void submit()
      }}
    >
      <Stack>
        <FileInput
          label="CSV file"
          description="One telephone number per line, followed by TPS, CTPS, yes, no or nothing."
          accept=".csv,text/csv,text/plain"
          placeholder="Choose a file"
          value={file}
          onChange={setFile}
        />
        <TextInput
          type="date"
          label="Checked on"
          description="The day on which the registers were checked."
          value={day}
          onChange={(e) => setDay(e.currentTarget.value)}
        />
        {failure && <FormErrorText>{failure}</FormErrorText>}
        {former.map((s) => (
          <Text key={s.id} size="sm" c="dimmed">
            {s.fileName}, of {formatIsoAsUkDate(s.screenedOn)}: {s.registered} on a register, {s.clear} not on a
            register, {s.refused} unreadable
          </Text>
        ))}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Import
        </Button>
      </DialogActions>
    </form>
  )
}
