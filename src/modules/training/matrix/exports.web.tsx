import '@mantine/core/styles/Menu.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { openPdf } from '#web/api/pdf.ts'
import { toast } from '#web/ui/toast.ts'
import { MATRIX_URL } from './matrix.ts'

/** Menu that exports what the filters show. `asked`: the query of the matrix. */
export function Exports({ asked }: { readonly asked: string }) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'xlsx' | 'pdf') => {
      const url = `${MATRIX_URL}/export.${format}${asked}`
      if (format === 'pdf') return openPdf(url)
      const { bytes, name } = await fetchFile(url)
      saveToDisk(bytes, name ?? `training.${format}`)
    },
    onError: (error) => toast.failed(error),
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={save.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => save.mutate('xlsx')}>Excel</Menu.Item>
        <Menu.Item onClick={() => save.mutate('pdf')}>PDF</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
