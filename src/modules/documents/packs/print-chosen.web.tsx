import { Button } from '@mantine/core'
import { openPdf, savePdf } from '#web/api/pdf.ts'
import { toast } from '#web/ui/toast.ts'
import { printTogether } from './print-together.web.ts'

/** Prints or saves chosen documents as one PDF, in the order of the list. */
export function PrintChosen({ ids }: { readonly ids: readonly number[] }) {
  const print = () => void printTogether({ documents: ids }, openPdf).catch((e: unknown) => toast.failed(e, print))
  const save = () => void printTogether({ documents: ids }, savePdf).catch((e: unknown) => toast.failed(e, save))
  return (
    <>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={print}>
        Print together
      </Button>
      <Button size="xs" variant="default" disabled={!ids.length} onClick={save}>
        Save together
      </Button>
    </>
  )
}
