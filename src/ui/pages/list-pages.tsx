/** The list page; it comes with the first script, because most visits open it. */

import { defineClient } from '../define-client.ts'
import { ListPage } from '../list/list-page.tsx'

export const listPages = defineClient({
  pages: {
    list: ({ components: { list } }: { components: { list: string } }) => (
      <ListPage key={list} component={list} />
    ),
  },
})
