/** Meanings that words have. The words of a script are listed in this order. */
export const concepts = [
  /** Cancels earlier instructions. */
  "drop",
  /** Warns against setting aside: the opposite of `drop`. */
  "keep",
  /** Names the instructions of a model. */
  "rules",
  /** Means all of it, or everything earlier. */
  "prior",
  /** Says that the speaker's own words are meant: people correct themselves. */
  "own",
  /** Names the subject of ordinary instructions and rules. */
  "topic",
  /** Gives the reader a new role. */
  "role",
  /** Gives a role in so many words; ordinary roles that people get are `honestRole`. */
  "newRole",
  "honestRole",
  /** Says that limits do not hold. */
  "unbound",
  /** Speaks in the voice of an operator. */
  "system",
  /** Asks to show something. */
  "reveal",
  /** Names the instructions that a model keeps for itself. */
  "prompt",
  /** Asks not to say something to the user. */
  "hushUser",
  /** Asks for silence, as people do with each other. */
  "hush",
  /** Mentions a model. */
  "machine",
  /** Addresses a model by its kind. */
  "call",
  /** People whose titles begin like the name of a model. */
  "honestCall",
  /** Asks for something. */
  "order",
  /** Speaks about the user and the task as only a model is spoken to. */
  "task",
  /** Does something with data or money. */
  "act",
  /** Names data that others should not get. */
  "secret",
  /** Names a place on the network. */
  "address",
  /** Asks to use a tool. */
  "useTool",
  "tool",
  /** Names a tool the way code does. */
  "code",
] as const;

/** A meaning that words have. */
export type Concept = (typeof concepts)[number];

type TextOfEach<List extends readonly string[]> = { readonly [Index in keyof List]: string };

/**
 * Words of texts that address a model: for each script, the words of each meaning. `|` separates words, a group
 * `(a|b)` stands for each of its members, `$` ends a whole word, and a word without it is a beginning. Case, accents,
 * invisible characters and punctuation are folded before the comparison, so Latin words are written without accents. No
 * word begins or ends with another one of its meaning. Words of one script are together because they share letters, and
 * similar words are near each other: both make the file smaller when it is compressed. Otherwise the order has no meaning.
 */
export const injectionWords: readonly TextOfEach<typeof concepts>[] = [
  // Latin
  [
    /* drop */ "ignor|bypass|throw out|forget|disregard|discard|overriding|override$|(set|put|lay) aside|cease to follow|neglect|need not follow|supersed|no longer (follow|appl)|don't follow|stop (following|obeying)|dismiss|pay no attention|abandon|are (void|no longer valid|cancelled)|do (not (follow|adhere)|away with)|" +
      "außer acht|verwirf|vergiss|beachten sie nicht|(vergessen|verwerfen) sie|(beachte|befolge|vorgaben|anweisungen) nicht|halte dich nicht|ubergeh|setz dich uber|missacht|(gelten|regeln|richtlinien) nicht mehr|nicht (mehr beacht|langer befolg)|" +
      "(fais|faites) abstraction|(passe|passez) outre|oublie|(laisse|laissez) de cote|ne ((tiens|tenez) (pas|plus) compte|suis (pas|plus)|suivez pas)|" +
      "olvid|no ((tengas|tenga) en cuenta|siga)|(haz|haga|hagan) caso omiso|descarta|pasa por alto|deje de lado|deja de (lado|seguir)|" +
      "trascura|non ((tenere|tenga) conto|considerare|seguire)|lascia perdere|metti da parte|scordati|dimentichi|dimentica|tralascia|" +
      "desconsider|desprez|nao ((leve|tenha) em conta|siga)|(deixe|deixa) de lado|esquec|" +
      "sla geen acht|volg niet|laat buiten beschouwing|(houd|hou) geen rekening|vergeet|negeer|" +
      "nie (zwracaj uwagi|stosuj|przestrzegaj)|zapomnij|zlekcewaz|zignoruj|pomin|odrzuc|" +
      "zapomen|jata huomiotta|strunta i|nedbej|hagyd figyelmen|unohda|se bort fra|nehled|nu tine (cont|seama)|zabudni|ala valita|glem|bortse fran|felejtsd|uita|glom|" +
      "gormezden gel|unut|yok say|goz ardı et|dikkate alma|bos ver|" +
      "phot lo|kesampingkan|sahau maagizo|abaikan|hiraukan|hay quen|jangan ikuti|puuza|bo qua|đung tuan|huwag pansinin|lupakan|kalimutan",
    /* keep */ "do not (ignor|bypass)|(don't|never) (ignor|forget|disregard|overrid|bypass)|(didn't|i|we|people|always) forget|not (to (ignor|forget)|forget|disregard|discard|overrid)|often (ignor|forget)|ignorance|ignores|ignored|forgetting|(can|safely|may) (ignor|disregard)|ignorant|(easy|hard|tend|tends) to (ignor|forget)|forgets|ignore this (message|email|letter)|ignoring|(want|chose|choose|tried) to ignor|disregard this|(cannot|can't|they|who) ignor|" +
      "nie (zapomnij|ignoruj)|non (dimentica|ignor)|n'oublie|(vergeet|negeer) niet|niet vergeet|nunca olvid|no (olvid|ignor)|unutma|đung quen|jangan (lupa|abaikan)|nicht (ignorier|missacht|vergess|ubergeh)|nao (esquec|se esquec|ignor)|n'ignore",
    /* rules */ "direction|directive|guidance|guideline|guardrail|system prompt|briefing|prompts$|constraint|prompt$|commands$|rule$|original task|context$|safety protocol|safeguards|the task you were given|programming|everything (you (were told|have been told)|you've been told)|rules$|restriction|what (you (were (told|asked)|have been told)|you've been told|i told you|was said before)|your (orders|task|current task)|" +
      "regeln|richtlinie|instruktion|was (dir gesagt|man dir)|regel$|anweisung|befehl|weisung|auftrag|vorgabe|" +
      "regle|ce qu'on t'a dit|ordres|consigne|" +
      "regla|ordenes|indicacion|directiva|directri|lo que te (dij|han dicho)|" +
      "regol|ordini|indicazion|direttiv|istruzion|quello che ti e stato detto|" +
      "regra|ordens|orientac|instruc|diretri|comandos|o que lhe foi dito|" +
      "aanwijzing|opdracht|voorschrift|regels|richtlijn|" +
      "polecen|nakaz|zasad|reguł|wytyczn|" +
      "saan|riktlinj|pravid|ohje|instruks|instrukc|anvisning|utasitas|szabaly|reguli|indicati|retningslinje|pokyn|" +
      "talimat|komut|yonerge|kural|yonlendirme|" +
      "maagizo|aturan|huong dan|arahan|chi (thi|dan)|tagubilin|quy tac|menh lenh|perintah|petunjuk",
    /* prior */ "prior|earlier|so far|foregoing|up to now|all$|any$|original|entire|initial|existing|you've been (given|told)|your|former|current|given to you|you (were (given|told)|have (been (given|told)|received)|had been given|received)|until now|above|every|system|" +
      "zuvor|bisherig|vorherig|vorig|vorangegangen|ursprunglich|alles$|obig|vorhergehend|alle$|samtliche|bislang|bis jetzt|fruher|deine|die dir$|" +
      "anterieur|tous|toutes|qu'on t'a|recu|tes$|jusqu'ici|jusqu'a present|que tu as|qui t'ont|d'avant|ci-dessus|" +
      "anterior|todos|previa|todas|previo|tus$|recibid|que (te$|se te)|hasta (ahora|aqui)|" +
      "ricevut|finora|tutti|tutte|prece|iniziali|tue$|originari|che (ti (sono|hanno)|hai)|" +
      "ate agora|tuas$|iniciais|recebid|suas$|que (lhe|voce)|" +
      "oorspronkelijk|bovenstaande|tot nu toe|die je (hebt|zijn)|voorgaande|eerdere|jouw|" +
      "poprzedni|pierwotn|dotychczas|swoje|powyzsz|wczesniejsz|wszystk|" +
      "anterioare|elozo|aiemm|korabbi|ovanstaende|tidligere|foregaende|tidigare|aikaisemm|kaikki|eddigi|edelli|toate|predchoz|vsechny|minden|dosavadn|alla$|" +
      "simdiye kadar|onceki|butun|yukarıdaki|tum$|" +
      "moi$|seluruh|semua|sebelumnya|tat ca|di atas|ben tren|nakaraan|zote|awali|truoc|lahat",
    /* own */ "(her|his) previous|benim onceki|our (previous|prior|earlier|old)|my (previous|prior|earlier|last|instruction|direction|old)|mes (instructions|consignes)|meine (vorherig|anweisung|letzt|fruher)|minhas instruc|their (previous|earlier)|mijn (vorige|eerdere)|mis (instruccion|indicacion)|mie istruzion|moje poprzednie",
    /* topic */ "directions (to|on the)|rules (of|on|about|for the|you know)|of the prompts|guidelines (on|about|for)|anweisungen (zur|zum|im|auf)|istruzioni (di montaggio|del)|instrucciones (de montaje|del)|instructions (on (the|page|how)|for (the|assembl)|in (the|your|my)|if you|du|de montage|about|(i|we) sent|regarding|printed|that came with|and (follow|use) the new)|guidance (on|about)|regels van",
    /* role */ "you (are now|will now be)|your new role|pretend|take on the role|switch to|from (now on you|this (point on you|moment you))|you're now|enter|assume the (role|persona)|(act|acting|behave) as|role-play|roleplay|role play|" +
      "da questo momento|de (ahora en adelante|agora em diante|acum inainte)|su andan itibaren|nyni jsi|bundan sonra|tu es maintenant|(je|u) bent nu|mostantol|odted|fran och med nu|desormais|von nun an|artık sen|vous etes maintenant|ahora (eres|es usted)|a partir de (maintenant|ahora|agora)|(jestes|od) teraz|teraz jestes|olet nyt|ab (jetzt|sofort) bist|d'ora in poi|(ora|adesso) sei|fra nu af|agora (voce e|es)|vanaf nu|du (bist (jetzt|nun)|(ar|er) nu)|" +
      "(kamu|anda|mulai) sekarang|tu bay gio|bay gio ban",
    /* newRole */ "you are now (a$|an$)|you're now (a$|an$)|agora voce e um|tu es maintenant un|du bist jetzt ein|ahora eres un|ora sei un|je bent nu een",
    /* honestRole */ "you are now (a (member|subscriber|shareholder|customer|follower|homeowner|maintainer|moderator|collaborator|contributor|citizen|certified|verified|registered|resident|parent|part|proud|premium|team|guest|graduate|grand|friend|few|beneficiary|step)|an (owner|author|admin of|alum|organi|official|hour))|ora sei un membro|du bist jetzt ein mitglied|ahora eres un miembro",
    /* unbound */ "do anything now|unfiltered|no (restrictions|rules|guidelines|longer bound)|uncensored|not bound by|without (restriction|any (restriction|ethical)|limits|filter)|unrestricted|free (of|from) all|superuser|evil|system administrator|root$|jailbr|(developer|debug|admin|maintenance|god|sudo) mode|dan$|" +
      "ohne (einschrankung|beschrankung)|mode (developpeur|pengembang)|modalita sviluppatore|tryb (dewelopera|programisty)|modo (desarrollador|desenvolvedor|de desenvolvedor)|sans (restriction|limite|filtre)|sin (restriccion|limite|filtro)|sem (restric|limite|filtro)|senza (restrizion|limit|filtr)|bez (ograniczen|omezeni)|uneingeschrankt|korlatozas nelkul|khong (gioi han|bi han che)|tanpa batasan|zonder beperking|utan begransning|uden begrænsning|gelistirici modu|sınırsız|onbeperkt|kısıtlama olmadan|fara restrictii|entwicklermodus|ontwikkelaarsmodus",
    /* system */ "system (message|override|note|notice|update|instruction|command)|begin_instruction|new (directive|orders from|instruction)|this is an important message|override code|important (message (from|to)|instruction|notice to)|instruction update|emergency protocol|(updated|revised|begin|critical|hidden) instruction|end of instructions|(administrator|admin|priority|security) override|" +
      "systemnachricht|neue anweisung|nieuwe instructie|nouvelle (instruction|consigne)|nowe (instrukcje|polecenie)|nowa instrukcja|nuove istruzioni|systemanweisung|novas instrucoes|systeembericht|nuevas instrucciones|nueva (instruccion|indicacion)|systemmeldung|nova instrucao|nuova istruzione|instruksi baru|nouvelles (instructions|consignes)|message (systeme|du systeme)|messaggio (di|del) sistema|mensagem do sistema|mensaje del sistema|wiadomosc systemowa|chi thi moi|yeni talimat|komunikat systemow|sistem mesajı",
    /* reveal */ "pokaz|wiederhol|leak|powtorz|what (is|are) your|repeat|imprime|repete|repite|recite|output$|quote|revele|tiet lo|tell me|revela|herhaal|goster|print$|ujawnij|zeig|affiche|mostre|mostra|muestra|acıkla|nenne|repita|onthul|contents of your system|rivela|toon|montre|tampilkan|display|disclose|reveal|gib|ripeti|ungkapkan|dump|show$",
    /* prompt */ "(the|full|entire) system prompt|deine anweisungen|sistem (komut|istem)|(dein|ton|tu) prompt|deinen systemprompt|tue istruzioni|systeemprompt|tus instrucciones|tes (instructions|consignes)|suas instrucoes|jouw instructies|swoje instrukcje|prompt (systeme|systemow|sistem|(del|di|do) sistema|he thong)|your (system (prompt|message)|prompt|instructions|(initial|original|secret) instruction|configuration|hidden)",
    /* hushUser */ "no need to (mention this|(tell|inform|bother|trouble) the user)|don't ((tell|inform|notify|alert|ask) the user|mention (this|it) to the user|let the user know|reveal this)|without ((telling|notifying|asking) the user|mentioning (it|this) to the user)|conceal this from the user|not (tell the user|be shown to the user|visible to the user)|(hide|keep) (this|it) from the user|do not (mention ((this|it) to the user|to the user)|(inform|notify|let|alert|ask) the user|(disclose|reveal) this)|user (does not need to know|doesn't need to know|(need|should) not know|must not (know|notice)|won't notice)|" +
      "(sag|sage) dem (nutzer|benutzer) nichts|der nutzer (muss davon nichts|darf)|(dem|den) (nutzer|benutzer) nicht|ohne (den|dem) (nutzer|benutzer)|" +
      "l'utilisateur ne doit pas|ne (previens pas|le mentionne pas|mentionne pas cela)|sans (en informer|(informer|prevenir) l'utilisateur)|n'en (informe|parle|parlez) pas|a l'utilisateur|" +
      "(aan|zonder) de gebruiker|bez (informowania|wiedzy uzytkownik)|non (dirlo|menzionarlo)|senza (informare|avvisare|che l'utente)|all'utente|nao conte|sem (informar|avisar)|sin (que el usuario|avisar)|al usuario|ao (usuario|utilizador)|no (se lo (digas|menciones)|lo menciones)|de gebruiker niet|nie ((mow|informuj) uzytkownik|wspominaj)|" +
      "ne mondd el a felhasznalonak|nu spune utilizatorului|nerikej uzivateli|ala kerro kayttajalle|fortæl ikke brugeren|beratta inte for anvandaren|kullanıcının haberi|sag inget till anvandaren|kullanıcıya (soyleme|bahsetme|haber verme)|kullanıcıyı bilgilendirme|" +
      "đung (noi voi nguoi dung|cho nguoi dung)|tanpa (sepengetahuan pengguna|memberi tahu pengguna)|jangan (beri tahu pengguna|beritahu pengguna)|khong can thong bao cho nguoi dung",
    /* hush */ "do not (tell|mention|inform)|without (telling|informing|notifying)|don't (tell|mention)|sin decir|en secret|gizlice|secretly|discretamente|heimlich|silently|discretement|w tajemnicy|di nascosto|verrate|em segredo|sessizce|quietly|discreetly|covertly|po cichu|bi mat|stillschweigend|len lut|stiekem|diam-diam",
    /* machine */ "(automated|the) (assistant|agent)|(language|jazykovy) model|taalmodel|ai (assistant|agent|model|tool|system)|tro ly|model jezykowy|modele de langage|ai-assistent|ki-assistent|ki-agent|gpt$|asistan|ki-modell|sprachmodell|sprakmodell|llm$|chatgpt|inteligencia artificial|nyelvi modell|sztuczna inteligencja|ki-system|(assistant|agent) ia|intelligence artificielle|intelligenza artificiale|claude|modello linguistico|tekoaly|copilot|modelo de (lenguaje|linguagem)|chatbot|llms$|gemini|(virtual|digital|this) assistant|agente (de ia|ai)|assistente (ai|ia|de ia|virtuale)|yapay zeka|(asystent|asystenta) ai|asystencie|asisten|kunstliche intelligenz|dil modeli",
    /* call */ "dear (ai|assistant|agent|chatbot|llm|language model)|instructions for (ai|any ai|assistant|the (ai|assistant)|llm|language model)|instruction for (ai|the (ai|assistant))|message (for (the (ai|assistant)|ai)|to ai)|whichever ai|the ai handling|agent ((reading|processing|handling) this|you must)|ai (assistants reading|agent (must|please|should)|(reading|processing|handling) this|must|you must|please)|(hi|hello) (ai|assistant)|llm (must|please)|to (whichever assistant|the (assistant|ai)|any ai)|assistant ((reading|processing|handling) this|you must|must|please|should|shall|is required)|model (reading this|must)|attention (ai|all ai|assistant|agent|chatbot|llm|language model)|note (to (ai|assistant|any (automated|assistant)|llm)|for (ai|the (ai|assistant)))|if (you are (an (ai|assistant|llm)|a (language model|large language))|you're (an ai|a language model)|(an|any) ai)|as (the (language model|ai reading|assistant (reading|you))|an (ai (you|assistant|agent|model|language)|assistant you)|a language model)|hey (ai|assistant|agent)|" +
      "lieber (assistent|ki)|cher assistant|(querido|estimado) asistente|(caro|gentile|prezado) assistente|(drogi|szanowny) asystencie|an (den assistenten|die ki)|hinweis fur (den assistenten|die ki|ki)|(wenn|falls) du eine ki|kepada asisten|anweisung fur die ki|jesli jestes sztuczna|a (l'attention de (l'ia|l'assistant)|l'assistant)|note pour (l'assistant|l'ia)|instrucciones para (el asistente|la ia)|istruzioni per (l'assistente|l'ia)|instrucoes para (o assistente|a ia)|(uwaga|instrukcja) dla asystenta|liebe ki|nota (para (el asistente|o assistente|la ia)|per l'assistente)|instructions pour l'ia|beste assistent|gui tro ly|wurde der assistent bitte|se (sei (un'ia|un assistente)|voce (e|for) uma ia)|asisten yang terhormat|si (tu es une ia|vous etes une ia|eres una ia)|asistan icin not|voor de assistent|als je een ai|eger bir yapay zeka|(sevgili|sayın) asistan",
    /* honestCall */ "assistant (manager|teacher|team|to the|nurse|referee|store|secretary|coach|cook|chef|professor|producer|principal|director|editor|engineer|dean)",
    /* order */ "bitte|merci d|should$|must$|musisz|pourriez|pourrais|veuillez|podria|prosze|potrebbe|potresti|voce deve|vous devez|por favor|gerekiyor|gelieve|vui long|alsjeblieft|tu dois|you (must|should|shall|(have|need) to|will need|will$|are (required|to))|debe$|deve$|devi$|lutfen|be (grateful if|sure)|your (task|job)|(would|could) you|s'il (te|vous) plait|sofort|immediately|malısın|mogłby|moet je|(reply|respond|answer) only|make sure|poderia|per favore|responda|tolong|rispond|konnten|konntest|instead|antworte|repond|appreciate it if|zou (je|u)|je moet|(musst|sollst) du|debes|kindly|responde|appreciated if|if you could|harap|silakan|du (musst|sollst)|tienes que|hay|please",
    /* task */ "as part of your task|the (user ((wants|asked) you to|(already|previously) approved|has (asked you|authori|already (authori|approved)|approved|consented|changed the task|given permission)|would (like you|also)|also wants|changed the task|consent)|account owner has (approved|authori)|person (you (are assisting|assist)|you're helping))|if (you are summarizing|you're summarizing)|in order to complete the user|go on with the original task|continue with the (original task|user's)|while helping the user|to ((complete|answer) the user's|(fulfil|fulfill) the user)|before (you (can solve|solve the task|answer the user)|solving the task|answering the user|(responding|replying) to the user)|return to the (user's request|original task)|who you are assisting|behalf of your user|helping the user with|on (the user's behalf|behalf of the user)|then (continue with your|resume the task)|when ((summarizing|summarising) this|you (summarize|summarise) this|processing this (document|email|page))|your (user's|principal|operator)|" +
      "l'utilisateur (veut que tu|souhaite que|a (autorise|deja))|per conto dell'utente|namens de gebruiker|antes de responder (al usuario|ao)|kullanıcı (senden|zaten|adına)|der (nutzer (mochte dass du|hat (dich gebeten|bereits zugestimmt))|benutzer mochte dass)|bevor du (dem nutzer|antwortest)|em nome do usuario|im namen des (nutzers|benutzers)|de gebruiker (wil dat je|heeft al)|voordat je antwoordt|atas nama pengguna|pengguna ingin|prima di rispondere all'utente|l'utente (vuole che|ha (autorizzato|gia))|avant de repondre a l'utilisateur|en nombre del usuario|o usuario (quer que|autorizou|ja)|au nom de l'utilisateur|el usuario (quiere que|ha autorizado|ya ha)|zanim odpowiesz|w imieniu uzytkownika|uzytkownik (chce|juz)|thay mat nguoi dung",
    /* act */ "forwarding|poista|transfiere|share$|delete$|include$|invia$|invite|leite|transfiera|transfira|transmets|chuyen|kirim|borra|transfer|payment|transmettez|trasferisc|encaminhe|reenvie|envie|envoie|envoyez|trimite|envoyer|elimina|export|email$|wire$|sil$|schick|e-mail$|gonder|xoa|kuldd|verstuur|stuur|sterge|slet|aktar|odesli|supprime|upload|pay$|reenvia|radera|skicka|kopier|submit|weiterleit|gui|deleting|bonific|overmak|copy$|inviare|grant$|maak over|ubermittl|send|append|apague|add$|attach|losch|laheta|uberweis|overfor|verwijder|paste|post$|ilet$|iletin|usun|virement|wyslij|przeslij|przelej|przekaz|exfiltrat|posli|smaz|exclua|envia|forward$|inoltra|utald|hapus|teruskan",
    /* secret */ "(security|verification|one-time) code|salasana|passwort|all (emails|their emails|messages|files)|credit card|mat khau|passcode|historique de la conversation|(this|entire|full) conversation|(access|auth) token|zugangsdaten|kundendaten|session cookie|hasło|hasła|contrasena|secret (key|token)|credential|credenzial|credencia|environment variable|api (key|anahtar)|senha|api-key|api_key|private key|(conversation|chat) history|(cle|cles|clave|claves|chiave|chiavi|klucz) api|api-schlussel|cronologia|password|customer (list|data|record)|inbox$|chave (de api|api)|inloggegevens|donnees client|klantgegevens|kennwort|api-sleutel|losenord|sifre|secrets$|identifiants|datos de los clientes|dane logowania|wachtwoord|contact list|bank (details|account)|personal data|parola|hesla|kundenliste|adgangskode|historial de|historico da conversa|dati dei clienti|apikey|(mot|mots) de passe|medical record|heslo|haseł|jelszo|jelszav|kata sandi",
    /* address */ "iban|http|@|www$",
    /* useTool */ "roep|kullan|benutze|call$|nutze|cagır|esegui|llama|verwende|appelez|panggil|fuhre|gunakan|usa la|utilise|(call|use|using|run|trigger) the|invoke|ruf|usa$|goi|utiliza|gebruik|uzyj|ejecuta|execute|chiama|voer|wywołaj|chame|appelle",
    /* tool */ "arac|endpoint|outil|function$|tool$|tools$|fonction|functie|herramienta|narzedzi|api$|fonksiyon|funzione|cong cu|funkcj|funcao|funktion|funcion|strumento|ferramenta|alat|werkzeug",
    /* code */ "forward_|add_|remove_|invite_|upload_|grant_|read_|write_|delete_|share_|send_|execute_|transfer_|make_|post_|pay_|create_|update_|get_|run_",
  ],
  // Greek
  [
    /* drop */ "μην ακολουθ|αγνόησε|μη λάβεις|αγνοήστε|ξεχάστε|ξέχνα",
    /* keep */ "",
    /* rules */ "εντολ|οδηγί|κανόν",
    /* prior */ "όλους|παραπάνω|όλες|προηγούμεν",
    /* own */ "",
    /* topic */ "",
    /* role */ "από (εδώ και|τώρα)",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "χωρίς περιορισμ",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "μην (πεις στον χρήστη|ενημερώσεις)",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "διάγραψε|μετάφερε|στείλε",
    /* secret */ "κωδικ|συνθηματικ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Cyrillic
  [
    /* drop */ "проигнорируй|игнорировать|отбрось|не ((обращай|обращайте) внимания|следуй|зважай)|ігноруй|забудь|игнорируй|отмени",
    /* keep */ "не (забудь|игнорируй)",
    /* rules */ "правил|інструкц|указани|предписани|распоряжени|вказів|команд|инструкц|установки",
    /* prior */ "усі$|тебе (говорили|дали)|свои|которые (тебе|ты)|выше|всі$|попередн|предыдущ|ранее|всех|все$|полученн|исходн|прежни",
    /* own */ "мои предыдущие",
    /* topic */ "правила (игры|дорожн)",
    /* role */ "ты теперь|отныне|відтепер|с этого момента|теперь ты",
    /* newRole */ "теперь ты",
    /* honestRole */ "",
    /* unbound */ "(режим|режиме) разработчика|без (ограничений|фильтров)",
    /* system */ "системное сообщение|новое указание|новая инструкция|сообщение системы|новые инструкции",
    /* reveal */ "выведи|покажи|повтори|раскрой",
    /* prompt */ "системный (промпт|запрос)|свои инструкции",
    /* hushUser */ "без ведома пользователя|пользователь не должен|не ((говори|говорите|сообщай|сообщайте|сообщая) пользователю|упоминай|уведомляй пользовател|кажи користувач)",
    /* hush */ "тайно|незаметно|втайне",
    /* machine */ "ассистент|ии-агент|искусственный интеллект|языковая модель",
    /* call */ "(дорогой|уважаемый) ассистент|для ассистента|если (ты (ии|языковая)|вы ии)|ассистенту",
    /* honestCall */ "",
    /* order */ "пожалуйста|должен|нужно|немедленно|не могли бы|должна|мог бы",
    /* task */ "перед тем как ответить|от имени пользователя|пользователь (хочет|уже)|прежде чем ответить",
    /* act */ "удали|надішли|перешли|переведи|скопируй|отправь",
    /* secret */ "учётные данные|пароли|переписк|пароль|данные клиентов|(ключ|ключи) api|паролей",
    /* address */ "",
    /* useTool */ "вызови|используй|запусти",
    /* tool */ "функци|инструмент",
    /* code */ "",
  ],
  // Hebrew
  [
    /* drop */ "תתעלם|התעלם|תשכח|שכח את|התעלמו",
    /* keep */ "",
    /* rules */ "כללים|הנחיות|הוראות",
    /* prior */ "כל ה|שקיבלת|הקודמות",
    /* own */ "",
    /* topic */ "",
    /* role */ "מעכשיו אתה|אתה עכשיו",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "ללא הגבלות",
    /* system */ "",
    /* reveal */ "",
    /* prompt */ "",
    /* hushUser */ "אל תספר למשתמש",
    /* hush */ "",
    /* machine */ "",
    /* call */ "",
    /* honestCall */ "",
    /* order */ "",
    /* task */ "",
    /* act */ "שלח|מחק|העבר",
    /* secret */ "סיסמ",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Arabic
  [
    /* drop */ "لا (تتبع|تلتزم)|تغاضى|تجاهل|انس |نظر انداز|نادیده بگیر|فراموش کن",
    /* keep */ "لا (تنس|تتجاهل)",
    /* rules */ "توجيهات|تعليمات|دستورالعمل|إرشادات|دستورات|ہدایات|أوامر|قواعد|قوانین",
    /* prior */ "السابق|جميع|تمام|أعلاه|همه|كل |قبلی",
    /* own */ "",
    /* topic */ "",
    /* role */ "من الآن فصاعدا|از این پس|أنت الآن",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "بدون محدودیت|دون قيود",
    /* system */ "رسالة النظام|تعليمات جديدة",
    /* reveal */ "اكشف|اعرض",
    /* prompt */ "موجه النظام",
    /* hushUser */ "لا (تخبر المستخدم|تذكر ذلك)|بلا إخبار|دون (إخبار|علم المستخدم)|به کاربر نگو",
    /* hush */ "سرا",
    /* machine */ "الذكاء الاصطناعي|المساعد|هوش مصنوعی",
    /* call */ "(عزيزي|إلى) المساعد|إذا كنت ذكاء",
    /* honestCall */ "",
    /* order */ "من فضلك|يرجى|يجب",
    /* task */ "قبل الرد على المستخدم|يريد المستخدم منك|نيابة عن المستخدم",
    /* act */ "حوّل|ارسال کن|أعد توجيه|أرسل|احذف",
    /* secret */ "مفتاح|رمز عبور|كلمات المرور|كلمة (المرور|السر)",
    /* address */ "",
    /* useTool */ "استدع|استخدم",
    /* tool */ "أداة",
    /* code */ "",
  ],
  // scripts of India and Thailand
  [
    /* drop */ "भूल जा|ভুলে যা|উপেক্ষা|अनदेखा|नज़रअंदाज़|उपेक्षा|เพิกเฉย|ไม่ต้องสนใจ|ละเว้น|ลืมคำสั่ง",
    /* keep */ "न भूल",
    /* rules */ "निर्देश|नियम|आदेश|हिदायत|กฎ|নির্দেশ|คำแนะนำ|คำสั่ง",
    /* prior */ "सभी|ก่อนหน้า|আগের|पूर्व|ऊपर|पहले|पिछले|সমস্ত|ข้างต้น|ทั้งหมด",
    /* own */ "",
    /* topic */ "",
    /* role */ "จากนี้ไป|अब (से|तुम|आप)",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "बिना किसी प्रतिबंध|ไม่มีข้อจำกัด",
    /* system */ "(नया|नए) निर्देश",
    /* reveal */ "बता|दिखा",
    /* prompt */ "सिस्टम प्रॉम्प्ट",
    /* hushUser */ "उपयोगकर्ता को (न बत|मत)|यूज़र को (मत|न )|อย่าบอกผู้ใช้",
    /* hush */ "चुपचाप",
    /* machine */ "सहायक|एआई|ผู้ช่วย",
    /* call */ "सहायक के लिए|प्रिय सहायक",
    /* honestCall */ "",
    /* order */ "โปรด|तुरंत|กรุณา|कृपया|करें",
    /* task */ "उपयोगकर्ता (की ओर से|चाहता)",
    /* act */ "โอน|हटा|ट्रांसफर|भेज|ลบ|ส่ง",
    /* secret */ "รหัสผ่าน|पासवर्ड|गोपनीय",
    /* address */ "",
    /* useTool */ "",
    /* tool */ "",
    /* code */ "",
  ],
  // Chinese and Japanese
  [
    /* drop */ "忘掉|无视|抛开|别理会|不要理会|不要遵|忘記|不理会|無視|不用理会|不再遵|忽略|忘记|别管|撇开|" +
      "気にしない|忘れなさ|従わず|破棄し|守らなくて|忘れてくださ|従わない|忘れろ",
    /* keep */ "不要忘记|别忘记|别忘了|忘れず|不可忽略|不要忽略|不能忽略|切勿忽略|请勿忽略|無視しない|忘れない",
    /* rules */ "指引|指示|要求|命令|指令|提示|规则|约束|说明|ルール|设定|設定|說明|プロンプト|規則|制約",
    /* prior */ "此前|上記|一切|原来|以前|之前|上述|前面|以上|従来|今まで|これまで|すべて|全て|先ほど|先前|所有",
    /* own */ "私の|我之前|我的",
    /* topic */ "",
    /* role */ "你的新角色|你现在是|今からあなた|从现在开始|あなたは今|これからあなた|从现在起|これ以降|扮演",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "没有限制|制約なし|不受任何|开发者模式|開發者模式|開発者モード|无限制|制限なし|不受限制|制限のない",
    /* system */ "系统提示|新的指令|新的指示|新たな指示|新しい指示|新しい命令|系统消息|系统指令|新指令|システムメッセージ",
    /* reveal */ "重复|告诉我|透露|表示|显示|教えて|出力|输出",
    /* prompt */ "系统提示|你的提示|你的指令|システムプロンプト",
    /* hushUser */ "不要讓使用者|ユーザーには伝えな|不必告知用户|不要通知用户|不要告诉用户|无需告知用户|不要告知用户|不要向用户|无需通知用户|不要告訴使用者|ユーザーに知らせ|别告诉用户|ユーザーには知らせ|ユーザーに通知せ|ユーザーに言わ|ユーザーには言わ|ユーザーに伝えな|不告诉用户|ユーザーには内緒|不要让用户知道|ユーザーに伝えず",
    /* hush */ "秘密|悄悄|こっそり|偷偷|暗中|密かに",
    /* machine */ "人工知能|言語モデル|语言模型|助手|助理|大模型|人工智能|アシスタント",
    /* call */ "亲爱的ai|如果你是ai|尊敬的ai|尊敬的助手|致ai|亲爱的助手|致助手|致人工智能|アシスタントへ|あなたがaiなら|给ai的|如果你是人工智能|aiへ|给助手的|如果你是一个|アシスタントの方",
    /* honestCall */ "",
    /* order */ "麻烦|ください|请|すること|立即|勞煩|しなければ|請|お手数|必须|务必|劳驾|恐れ入り|せよ",
    /* task */ "以用户的名义|用户希望你|用户已授权|用户要求你|用户已经|ユーザーに代わって|代表用户|ユーザーはあなたに|在回复用户之前|ユーザーはすでに|在回答之前|ユーザーの代わりに|回答する前に",
    /* act */ "アップロード|转发|删除|送って|転送|发送|发给|上传|刪除|送金|削除|送信|转到|转账|汇款|發送|发到|轉發",
    /* secret */ "パスワード|認証情報|会話履歴|客户名单|密钥|密码|凭证|聊天记录|顧客データ|凭据|客户数据|对话记录|顧客リスト|apiキー|密碼",
    /* address */ "",
    /* useTool */ "使用|使って|调用|执行|実行し|呼び出",
    /* tool */ "工具|ツール|関数|函数",
    /* code */ "",
  ],
  // Korean
  [
    /* drop */ "무시하|따르지|무시해|신경 쓰지|잊어|버리고|잊으",
    /* keep */ "무시하지|잊지",
    /* rules */ "명령|규칙|지시|지침|프롬프트|안내 사항",
    /* prior */ "모든|위의|앞의|앞선|기존|지금까지|이전",
    /* own */ "제가",
    /* topic */ "",
    /* role */ "지금부터|(당신은|너는) 이제|이제부터",
    /* newRole */ "",
    /* honestRole */ "",
    /* unbound */ "(제한|제약) 없|개발자 모드",
    /* system */ "시스템 메시지|새로운 (지시|지침)|새 지시",
    /* reveal */ "출력|알려|보여",
    /* prompt */ "시스템 프롬프트",
    /* hushUser */ "사용자에게는 (알리지|말하지)|사용자에게 (알리지|말하지|언급하지)|사용자 모르게",
    /* hush */ "몰래|은밀히",
    /* machine */ "어시스턴트|ai 비서|인공지능|언어 모델",
    /* call */ "어시스턴트에게|ai에게|어시스턴트님|ai라면",
    /* honestCall */ "",
    /* order */ "하십시오|하세요|해주세요|해 주세요|해야|번거로|부탁",
    /* task */ "사용자가 (이미|원하)|사용자는 이미|사용자를 대신|답변하기 전에",
    /* act */ "삭제|전송|송금|보내|전달|업로드",
    /* secret */ "비밀번호|암호|대화 기록|고객 명단|api 키",
    /* address */ "",
    /* useTool */ "호출|사용해|실행|사용하",
    /* tool */ "함수|도구",
    /* code */ "",
  ],
];
