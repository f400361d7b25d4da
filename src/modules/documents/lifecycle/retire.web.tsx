import type { ReactNode } from 'react'
import { loadRecordUsageSentence } from '#web/api/used-by.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, useUpdateCompletedDocument } from '../types/record.web.ts'
import { restoreTransitionName, toDocumentStatus } from '../types/transitions.ts'
import { useOptimisticTransition } from './show-transition.web.ts'

/**
 * Returns the dialog to render, and a function that retires documents: `const [dialog, retire] =
 * useRetireDocuments(kind)`. The function asks for confirmation, marks the documents as deleted, offers undo for ten
 * seconds and resolves to true when done.
 */
export function useRetireDocuments(
  kind: DocumentKind,
): readonly [ReactNode, (records: readonly DocumentRecord[], retired: boolean) => Promise<boolean>] {
  const [dialog, ask] = useConfirm()
  const mark = useUpdateCompletedDocument(kind)
  const show = useOptimisticTransition(kind)
  const set = async (records: readonly DocumentRecord[], retired: boolean) => {
    const answered = show(records, retired ? () => 'retire' : restoreTransitionName)
    try {
      await Promise.all(records.map((r) => mark.mutateAsync({ id: r.id, values: { retired } })))
      answered()
    } catch (e) {
      answered(e)
      throw e
    }
  }
  const retire = async (records: readonly DocumentRecord[], retired: boolean): Promise<boolean> => {
    const one = records.length === 1 ? records[0] : undefined
    const what = one ? `${one.documentNumber} revision ${one.revision}` : `${records.length} documents`
    if (retired) {
      const used = one ? await loadRecordUsageSentence(`${document.url}/${one.id}`) : ''
      const question = one
        ? 'Are you sure you wish to delete this item? It will remain stored, marked as deleted, and can be restored.'
        : 'Are you sure you wish to delete these items? They will remain stored, marked as deleted, and can be restored.'
      const yes = await ask({
        title: `Deleting ${what}`,
        question: used ? `${used} ${question}` : question,
        action: 'Delete',
        meaning: 'stop',
      })
      if (!yes) return false
    }
    try {
      await set(records, retired)
      const message = `${what} ${retired ? 'deleted' : 'restored'}`
      // Offers no undo for withdrawn documents, because withdrawing them again after an undo would need a reason.
      if (records.some((r) => toDocumentStatus(r) === 'withdrawn')) toast.info(`${message} and in force`, 'safe')
      else showUndoToast({ message, undo: () => set(records, !retired) })
      return true
    } catch (e) {
      toast.failed(e, () => void set(records, retired).then(() => toast.saved(what), toast.failed))
      return false
    }
  }
  return [dialog, retire]
}
