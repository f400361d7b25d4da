import { Button } from '@mantine/core'
import { openPdf } from '#web/api/pdf.ts'
import { say } from '#web/ui/say.ts'
import { document } from '../kinds/document.ts'

/** Prints chosen documents as one PDF, in the order of the list. */
export function PrintChosen({ ids }: { readonly ids: readonly number[] }) {
  const print = () =>
    void openPdf(`${document.url}/pack?documents=${ids.join(',')}`).catch((e: unknown) => say.failed(e, print))
  return (
    <Button size="xs" variant="default" disabled={!ids.length} onClick={print}>
      Print together
    </Button>
  )
}
